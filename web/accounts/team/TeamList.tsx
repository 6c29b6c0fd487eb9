import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Me } from '#core/contract/accounts/account.ts'
import { mayManage } from '#core/contract/accounts/member-role.ts'
import type { AccountMember } from '#core/contract/accounts/members.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { namePerson } from '#web/components/name-person.ts'
import { teamQuery } from '#web/api/team.ts'
import { HandOverDialog } from './HandOverDialog.tsx'
import { Invitations } from './Invitations.tsx'
import { InviteMemberDialog } from './InviteMemberDialog.tsx'
import { nameMemberRole } from './member-roles.ts'
import { MemberRoleDialog } from './MemberRoleDialog.tsx'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'

type Asked = { about: 'invite' | 'hand over' } | { about: 'role' | 'remove'; member: AccountMember }

/** Everybody who works for the account, and the open invitations. */
export function TeamList({ me }: { me: Me }) {
  const team = useQuery(teamQuery)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  if (team.data === undefined)
    return team.isError ? (
      <LoadFailure
        title="The people of this account could not be loaded."
        error={team.error}
        onRetry={() => void team.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  const { data: members, invitations } = team.data
  const isOwner = me.member_role === 'owner'
  const others = members.filter(({ is_you: isYou }) => !isYou)
  const mayChange = (member: AccountMember) => !member.is_you && mayManage(me.member_role, member.role)
  return (
    <>
      <Card
        title="People"
        flush
        actions={
          <span className="flex flex-wrap gap-2">
            {isOwner && others.length > 0 && (
              <Button size="sm" onClick={() => setAsked({ about: 'hand over' })}>
                Hand over ownership
              </Button>
            )}
            <Button
              size="sm"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => setAsked({ about: 'invite' })}
            >
              Invite
            </Button>
          </span>
        }
      >
        <DataTable
          label="People"
          items={members}
          keyOf={({ user_id: id }) => id}
          columns={[
            {
              header: 'Person',
              part: 'who',
              className: 'font-medium',
              render: (member) => <MemberName member={member} />,
            },
            { header: 'Role', part: 'how', render: ({ role }) => <Badge>{nameMemberRole(role)}</Badge> },
            { header: 'Joined', part: 'figure', render: ({ joined_at: at }) => <RelativeTime at={at} /> },
            {
              header: 'Actions',
              part: 'actions',
              className: 'py-1! text-right whitespace-nowrap',
              render: (member) =>
                mayChange(member) && (
                  <MemberActions
                    member={member}
                    mayGive={isOwner}
                    onAsk={(about) => setAsked({ about, member })}
                  />
                ),
            },
          ]}
        />
      </Card>
      {invitations.length > 0 && <Invitations invitations={invitations} own={me.member_role} />}
      {asked?.about === 'invite' && <InviteMemberDialog own={me.member_role} onClose={close} />}
      {asked?.about === 'hand over' && <HandOverDialog members={others} onClose={close} />}
      {asked?.about === 'role' && (
        <MemberRoleDialog member={asked.member} own={me.member_role} onClose={close} />
      )}
      {asked?.about === 'remove' && <RemoveMemberDialog member={asked.member} onClose={close} />}
    </>
  )
}

function MemberName({ member }: { member: AccountMember }) {
  const name = namePerson(member)
  return (
    <span className="block max-w-64">
      <span className="block truncate" title={name}>
        {name}
        {member.is_you && <span className="font-normal text-muted"> (you)</span>}
      </span>
      {name !== member.email && (
        <span className="block truncate text-xs font-normal text-muted">{member.email}</span>
      )}
    </span>
  )
}

function MemberActions({
  member,
  mayGive,
  onAsk,
}: {
  member: AccountMember
  mayGive: boolean
  onAsk: (about: 'role' | 'remove') => void
}) {
  const name = namePerson(member)
  return (
    <span className="inline-flex gap-2 cards:flex-wrap">
      {/* A manager could only choose "agent" again. */}
      {mayGive && (
        <Button size="sm" aria-label={`Change role of ${name}`} onClick={() => onAsk('role')}>
          Change role
        </Button>
      )}
      <Button size="sm" variant="quiet" aria-label={`Remove ${name}`} onClick={() => onAsk('remove')}>
        Remove
      </Button>
    </span>
  )
}
