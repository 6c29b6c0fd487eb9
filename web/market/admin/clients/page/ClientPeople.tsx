import { MEMBER_ROLE_WORDS } from '#core/contract/accounts/member-role-words.ts'
import { useQuery } from '@tanstack/react-query'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import type { ClientPerson } from '#core/contract/market/client-page.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { describeUserAgent } from '#web/format/user-agent.ts'
import { words } from '#web/format/words.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { clientPeopleQuery } from '../../../admin-client-queries.ts'
import { namePerson } from '#web/components/name-person.ts'

/** The people who can sign in to the account, and where they are signed in. */
export function ClientPeople({ client: { user_id: id } }: { client: AdminClientDetail }) {
  const people = useQuery(clientPeopleQuery(id))
  if (people.data !== undefined) {
    return (
      <div className="flex flex-col gap-6">
        {people.data.data.map((person) => (
          <Person key={person.user_id} person={person} />
        ))}
      </div>
    )
  }
  return people.isError ? (
    <LoadFailure
      title="The people could not be loaded."
      error={people.error}
      onRetry={() => void people.refetch()}
    />
  ) : (
    <CardSkeleton />
  )
}

function Person({ person }: { person: ClientPerson }) {
  const { email, email_confirmed_at: confirmed, has_factor: hasFactor, last_sign_in_at: last } = person
  return (
    <Card title={<span className="wrap-anywhere">{namePerson(person)}</span>}>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {email !== namePerson(person) && <span className="min-w-0 wrap-anywhere">{email}</span>}
        <Badge tone="neutral">
          {person.member_role === 'none' ? 'Has left' : words(MEMBER_ROLE_WORDS[person.member_role])}
        </Badge>
        {email !== '' && confirmed === null && <Badge tone="waiting">Address not confirmed</Badge>}
        <Badge tone={hasFactor ? 'success' : 'neutral'}>
          {hasFactor ? 'Second factor on' : 'No second factor'}
        </Badge>
      </p>
      <p className="mt-1 text-xs text-muted">
        {last === null ? (
          'Never signed in'
        ) : (
          <>
            Last signed in <RelativeTime at={last} />
          </>
        )}
      </p>
      {person.sessions.length > 0 && (
        <ul aria-label={`Sessions of ${namePerson(person)}`} className="mt-3 divide-y divide-line">
          {person.sessions.map(({ id, user_agent: agent, ip, last_active_at: at }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4 py-1.5 text-sm last:pb-0">
              <span className="min-w-0 flex-1 basis-40 break-words">
                {[describeUserAgent(agent ?? '').name, ip].filter(Boolean).join(' · ')}
              </span>
              <span className="text-xs leading-5 text-muted">
                Last used <RelativeTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
