import { useState } from 'react'
import type { Me } from '#core/contract/accounts/account.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { nameMemberRole } from './member-roles.ts'

/** Names the account that a person was invited to, and lets them leave it. */
export function MyPlace({ me }: { me: Me }) {
  const [isLeaving, setLeaving] = useState(false)
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
        You work for <strong className="font-medium">{me.account_name || 'an account without a name'}</strong>{' '}
        as {nameMemberRole(me.member_role).toLowerCase()}.
      </p>
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </Card>
  )
}
