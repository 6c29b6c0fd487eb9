import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import { teamQuery } from '#web/api/team.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { namePerson } from '#web/components/name-person.ts'
import { Button } from '#web/ui/action/Button.tsx'

const GiveDialog = lazyPart('GiveDialog', async () => (await import('./GiveDialog.tsx')).GiveDialog)

const RARELY_CHANGES_MS = 300_000

/** Says which person of the account has the lead, and lets owners and managers give it to another. */
export function LeadMember({ lead }: { lead: LeadDetail }) {
  const mayGive = useMemberMay('members') === true && lead.status === 'assigned'
  const team = useQuery({ ...teamQuery, enabled: mayGive, staleTime: RARELY_CHANGES_MS })
  const [isOpen, setOpen] = useState(false)
  const people = team.data?.data ?? []
  if (!mayGive || (people.length < 2 && lead.member_user_id === null)) return null
  const member = people.find(({ user_id: id }) => id === lead.member_user_id)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 max-sm:w-full max-sm:justify-between">
      <p className="min-w-0 text-sm break-words text-muted">
        {lead.member_user_id === null
          ? 'Shared by everybody'
          : `With ${member === undefined ? 'a person who left' : namePerson(member)}`}
      </p>
      <Button onClick={() => setOpen(true)}>Give to…</Button>
      {isOpen && (
        <Suspense>
          <GiveDialog lead={lead} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
