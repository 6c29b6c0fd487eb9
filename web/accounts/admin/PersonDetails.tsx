import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminPersonDetail } from '#core/contract/accounts/admin-people.ts'
import { meQuery } from '#web/api/me.ts'
import { useMay } from '#web/components/admin/use-may.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { describeUserAgent } from '#web/format/user-agent.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { personQuery } from '../admin-people-queries.ts'
import { nameRole } from './name-role.ts'
import type { PersonAct } from './PersonChange.tsx'

const FACTORS = { totp: 'Authenticator app', phone: 'Code by message' }

/** One account: how its person signs in, and from where; with what an owner may do about it. */
export function PersonDetails({ id, onAsk }: { id: string; onAsk: (act: PersonAct) => void }) {
  const { data: person, isError, error, refetch } = useQuery(personQuery(id))
  if (person !== undefined) return <Details person={person} onAsk={onAsk} />
  if (!isError) return <CardSkeleton />
  return <LoadFailure title="The account could not be loaded." error={error} onRetry={() => void refetch()} />
}

function Details({ person, onAsk }: { person: AdminPersonDetail; onAsk: (act: PersonAct) => void }) {
  const isOwn = useQuery(meQuery).data?.user_id === person.user_id
  const mayChange = useMay('people')
  const { admin_role: role, status, factors, last_sign_in_at: signedIn } = person
  return (
    <div className="flex flex-col gap-5">
      <dl className="grid grid-cols-1 gap-x-6 text-sm sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-2">
        <Fact name="Email">{person.email}</Fact>
        <Fact name="Role">
          {role === null ? 'Client' : nameRole(role)}
          {status !== 'active' && (
            <Badge tone={status === 'invited' ? 'waiting' : 'failure'} className="ml-2">
              {status === 'invited' ? 'Invited' : 'Suspended'}
            </Badge>
          )}
        </Fact>
        <Fact name="Second factor">
          {factors.length === 0
            ? 'Not set up'
            : `${factors.map(({ factor_type: type }) => FACTORS[type]).join(', ')} · ${person.recovery_codes_left} recovery codes left`}
        </Fact>
        <Fact name="Last sign-in">{signedIn === null ? 'Never' : <RelativeTime at={signedIn} />}</Fact>
      </dl>
      {person.session_list.length > 0 && <Sessions sessions={person.session_list} />}
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          <Button disabled={factors.length === 0 || isOwn} onClick={() => onAsk('reset-factor')}>
            Reset second factor
          </Button>
          <Button disabled={person.sessions === 0} onClick={() => onAsk('end-sessions')}>
            End all sessions
          </Button>
          {isOwn && factors.length > 0 && (
            <p className="w-full text-xs text-muted">Another owner can reset your second factor.</p>
          )}
        </div>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="mb-2 min-w-0 break-words sm:mb-0">{children}</dd>
    </>
  )
}

function Sessions({ sessions }: { sessions: AdminPersonDetail['session_list'] }) {
  return (
    <section aria-label="Sessions" className="flex flex-col gap-1">
      <h3 className="text-sm font-semibold">Sessions</h3>
      <ul className="flex flex-col divide-y divide-line">
        {sessions.map(({ id, user_agent: agent, ip, aal, last_active_at: at }) => {
          const { name, isPhone } = describeUserAgent(agent ?? '')
          const Icon = isPhone ? Smartphone : Monitor
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 basis-24">
                {name}
                {aal === 'aal2' && <Badge className="ml-2">Two factors</Badge>}
              </span>
              <span className="text-xs text-muted tabular">
                {ip !== null && `${ip} · `}
                <RelativeTime at={at} />
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
