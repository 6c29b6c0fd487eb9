import { useState } from 'react'
import type { Me } from '#core/contract/accounts/account.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { nameMemberRole } from './member-roles.ts'

/** Names the account that a person works for, and lets them leave it. */
export function MyPlace({ me }: { me: Me }) {
  const [isLeaving, setLeaving] = useState(false)
  const account = <strong className="font-medium">{me.account_name || 'an account without a name'}</strong>
  // A founder who handed the account over and left: its id is still theirs.
  if (me.member_role === 'none')
    return (
      <Card title="Your account" className="max-w-2xl">
        <p className="text-sm">You handed {account} over and left it.</p>
      </Card>
    )
  return (
    <Card
      title="Your account"
      className="max-w-2xl"
      actions={
        <Button size="sm" onClick={() => setLeaving(true)}>
          Leave
        </Button>
      }
    >
      <p className="text-sm">
        You work for {account} as {nameMemberRole(me.member_role).toLowerCase()}.
      </p>
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </Card>
  )
}
