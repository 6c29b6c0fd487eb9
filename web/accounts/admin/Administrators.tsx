import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AdminPerson } from '#core/contract/accounts/admin-people.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { useMay } from '#web/components/admin/use-may.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { peopleQuery } from '../admin-people-queries.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { namePerson } from '#web/components/name-person.ts'
import { nameRole } from './name-role.ts'
import { PersonChange, type PersonAct } from './PersonChange.tsx'
import { PersonDetails } from './PersonDetails.tsx'
import { RoleDialog } from './RoleDialog.tsx'

type Asked = { person: AdminPerson; about: PersonAct | 'details' | 'role' }

/** Everybody with a role in the administration. */
export function Administrators() {
  const people = useInfiniteQuery(peopleQuery)
  const mayChange = useMay('people')
  const [isInviting, setInviting] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <PagedCard
        title="Administrators"
        failure="The administrators could not be loaded."
        query={people}
        actions={
          mayChange && (
            <Button
              size="sm"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => setInviting(true)}
            >
              Invite an administrator
            </Button>
          )
        }
        empty={<EmptyState icon={<KeyRound aria-hidden />} title="No administrators" />}
      >
        {(items) => (
          <Listing
            label="Administrators"
            items={items}
            keyOf={({ user_id: id }) => id}
            columns={[
              {
                header: 'Person',
                render: (person) => (
                  <PersonName person={person} onOpen={() => setAsked({ person, about: 'details' })} />
                ),
              },
              { header: 'Role', part: 'how', render: (person) => <PersonRole person={person} /> },
              { header: 'Second factor', render: (person) => <SecondFactor person={person} /> },
              {
                header: 'Last sign-in',
                render: ({ last_sign_in_at: at }) => at !== null && <RelativeTime at={at} />,
              },
              { header: 'Sessions', numeric: true, render: ({ sessions }) => sessions },
            ]}
            needs="people"
            renderActions={(person) => (
              <span className="inline-flex gap-2 cards:flex-wrap">
                <Button
                  size="sm"
                  aria-label={`Change role of ${namePerson(person)}`}
                  onClick={() => setAsked({ person, about: 'role' })}
                >
                  Change role
                </Button>
                <Button
                  size="sm"
                  variant="quiet"
                  aria-label={`Remove ${namePerson(person)}`}
                  onClick={() => setAsked({ person, about: 'remove' })}
                >
                  Remove
                </Button>
              </span>
            )}
          />
        )}
      </PagedCard>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {asked?.about === 'role' && <RoleDialog person={asked.person} onClose={close} />}
      {asked?.about === 'details' && (
        <Dialog open onOpenChange={close} title={namePerson(asked.person)} startAt="title">
          <PersonDetails
            id={asked.person.user_id}
            onAsk={(about) => setAsked({ person: asked.person, about })}
          />
        </Dialog>
      )}
      {asked !== undefined && asked.about !== 'details' && asked.about !== 'role' && (
        <PersonChange person={asked.person} act={asked.about} onClose={close} />
      )}
    </>
  )
}

function PersonName({ person, onOpen }: { person: AdminPerson; onOpen: () => void }) {
  const name = namePerson(person)
  return (
    <span className="block max-w-64">
      <button
        type="button"
        title={name}
        onClick={onOpen}
        className="-my-0.5 max-w-full min-w-6 truncate rounded-sm py-0.5 text-left hover:underline"
      >
        {name}
      </button>
      {name !== person.email && (
        <span className="block truncate text-xs font-normal text-muted">{person.email}</span>
      )}
    </span>
  )
}

function PersonRole({ person: { admin_role: role, status } }: { person: AdminPerson }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {role !== null && <Badge tone={role === 'owner' ? 'info' : 'neutral'}>{nameRole(role)}</Badge>}
      {status === 'invited' && <Badge tone="waiting">Invited</Badge>}
      {status === 'blocked' && <Badge tone="failure">Suspended</Badge>}
    </span>
  )
}

/** An administrator without a second factor is what a reader of this list looks for. */
function SecondFactor({ person: { has_second_factor: has, status } }: { person: AdminPerson }) {
  if (has) return 'Set up'
  return status === 'active' && <Badge tone="waiting">Missing</Badge>
}
