import { z } from 'zod'
import { mayManage, type MemberRole } from '#core/contract/accounts/member-role.ts'
import type { MemberInvitation } from '#core/contract/accounts/members.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { useChange } from '#web/components/admin/use-change.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import { TEAM_KEY } from '#web/api/team.ts'
import { nameMemberRole } from './member-roles.ts'

/** Invitations that nobody has accepted yet. */
export function Invitations({
  invitations,
  own,
}: {
  invitations: readonly MemberInvitation[]
  own: MemberRole
}) {
  const withdraw = useChange(
    ({ id }: MemberInvitation) =>
      request(apiPath('account', 'members', 'invitations', id), z.unknown(), { method: 'DELETE' }),
    { done: () => 'The invitation is withdrawn', onDone: () => undefined, lists: TEAM_KEY },
  )
  return (
    <Card title="Invitations" flush>
      {withdraw.failure !== undefined && (
        <div className="p-4">
          <Banner tone="failure" urgent>
            {withdraw.failure}
          </Banner>
        </div>
      )}
      <DataTable
        label="Invitations"
        items={invitations}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Email',
            part: 'who',
            className: 'font-medium',
            render: ({ email }) => <span className="block max-w-64 truncate">{email}</span>,
          },
          { header: 'Role', part: 'how', render: ({ role }) => <Badge>{nameMemberRole(role)}</Badge> },
          {
            header: 'Ends',
            part: 'figure',
            render: ({ expires_at: at }) => <RelativeTime at={at} />,
          },
          {
            header: 'Actions',
            part: 'actions',
            className: 'py-1! text-right whitespace-nowrap',
            render: (invitation) =>
              mayManage(own, invitation.role) && (
                <Button
                  size="sm"
                  variant="quiet"
                  asks
                  busy={withdraw.isBusy}
                  aria-label={`Withdraw the invitation of ${invitation.email}`}
                  onClick={() => withdraw.send(invitation)}
                >
                  Withdraw
                </Button>
              ),
          },
        ]}
      />
    </Card>
  )
}
