import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { givenName } from '#core/domain/accounts/given-name.ts'
import { formatMoney } from '#web/format/money.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { ExactTime } from '#web/ui/show/ExactTime.tsx'

/** The business behind the account: what an approval depends on comes first. */
export function BusinessTab({ client }: { client: AdminClientDetail }) {
  const { npn, licensed_states: states } = client
  return (
    <div className="flex flex-col gap-6">
      {client.status === 'onboarding' && (
        <Banner tone="waiting" title="Waiting for your approval">
          {npn === null && states.length === 0
            ? 'The client has given neither an NPN nor licensed states.'
            : `Look the licences up before you approve: NPN ${npn ?? 'not given'}, ${
                states.length === 0 ? 'no states named' : `licensed in ${states.join(', ')}`
              }.`}
        </Banner>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Licences">
          <Facts
            facts={[
              ['NPN', npn],
              ['Licensed states', states.join(', ') || 'None named: leads from every state'],
            ]}
          />
        </Card>
        <Card title="Business">
          <Facts
            facts={[
              ['Business', client.business_name],
              ['Person', givenName(client)],
              ['Email', client.email],
              ['Phone', client.phone],
              ['Time zone', client.timezone],
              ['Signed up', <ExactTime key="at" at={client.created_at} />],
            ]}
          />
        </Card>
        <Card title="Funds">
          <Facts
            facts={[
              ['Low balance notice', `Below ${formatMoney(client.low_balance_threshold)}`],
              ['Auto-recharge', client.auto_recharge_enabled ? 'On' : 'Off'],
            ]}
          />
        </Card>
        <Card title="Own prices">
          {client.prices.length === 0 ? (
            <p className="text-sm text-muted">The price list counts for this client.</p>
          ) : (
            <ul className="divide-y divide-line text-sm">
              {client.prices.map(({ id, lead_type: type, state, price }) => (
                <li key={id} className="flex flex-wrap justify-between gap-x-4 py-1.5 first:pt-0 last:pb-0">
                  <span className="min-w-0 flex-1 basis-40 break-words">
                    {type} · {state ?? 'all states'}
                  </span>
                  <span className="tabular">{formatMoney(price)}</span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </div>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm tight:grid-cols-1 tight:gap-y-0">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 break-words tabular tight:pb-2">
            {value === null || value === '' ? <span className="text-faint">Not given</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
