import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { countWaiting } from './endpoint-health-words.ts'
import { countOf } from '#web/format/count-of.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { useIntegrationsView } from '../use-integrations-view.ts'
import { useTestAction } from '../queries/use-test-action.ts'
import { SwitchOnDialog } from './SwitchOnDialog.tsx'

const SHOWN = 3

/** Says which endpoints keep failing or were switched off, until they work again. */
export function EndpointNotices() {
  const { data: health = [] } = useQuery(endpointHealthQuery)
  const [target, setTarget] = useState<EndpointHealth | null>(null)
  const [open, setOpen] = useState(false)
  const noticed = health
    .filter(({ standing }) => standing === 'switched_off' || standing === 'failing')
    .toSorted((a, b) => Number(b.standing === 'switched_off') - Number(a.standing === 'switched_off'))
  return (
    <>
      {noticed.length > 0 && (
        <div className="mb-6 flex flex-col gap-3">
          {noticed.slice(0, SHOWN).map((one) => (
            <EndpointNotice
              key={one.webhook_config_id}
              health={one}
              onSwitchOn={() => {
                setTarget(one)
                setOpen(true)
              }}
            />
          ))}
          {noticed.length > SHOWN && (
            <p className="text-sm text-muted">
              {describeMore(noticed.length - SHOWN)} “Configure Webhooks” lists each with its reason.
            </p>
          )}
        </div>
      )}
      <SwitchOnDialog open={open} health={target} onClose={() => setOpen(false)} />
    </>
  )
}

function EndpointNotice({ health, onSwitchOn }: { health: EndpointHealth; onSwitchOn: () => void }) {
  const { go } = useIntegrationsView()
  const test = useTestAction()
  const isOff = health.standing === 'switched_off'
  return (
    <Banner
      tone={isOff ? 'failure' : 'waiting'}
      title={isOff ? `“${health.webhook_name}” was switched off` : `“${health.webhook_name}” keeps failing`}
    >
      {isOff ? <SwitchedOff health={health} /> : <Failing health={health} />}
      <div className="mt-2 flex flex-wrap gap-2">
        {isOff && (
          <Button size="sm" onClick={onSwitchOn}>
            Test and switch on
          </Button>
        )}
        {!isOff && (
          <Button size="sm" busy={test.isRunning} onClick={() => void test.run(health.webhook_config_id)}>
            Test Endpoint
          </Button>
        )}
        <Button
          size="sm"
          onClick={() => go({ view: 'configure', logs: health.webhook_config_id, attempt: null })}
        >
          View logs
        </Button>
      </div>
    </Banner>
  )
}

function describeMore(more: number) {
  return `${countOf(more, 'more webhook')} ${more === 1 ? 'needs' : 'need'} attention.`
}

function SwitchedOff({ health }: { health: EndpointHealth }) {
  return (
    <p>
      {health.disabled_reason}{' '}
      {health.disabled_at !== null && (
        <>
          Switched off <RelativeTime at={health.disabled_at} />;{' '}
        </>
      )}
      {health.waiting === 0
        ? 'leads that come in wait here.'
        : `${countWaiting(health)} ${health.waiting === 1 ? 'waits' : 'wait'}; nothing is lost.`}
    </p>
  )
}

function Failing({ health }: { health: EndpointHealth }) {
  return (
    <p>
      {countOf(health.failures_in_row, 'attempt')} in a row {health.failures_in_row === 1 ? 'has' : 'have'}{' '}
      failed
      {health.failing_since !== null && (
        <>
          , the first <RelativeTime at={health.failing_since} />
        </>
      )}
      . {health.last_error_message}{' '}
      {health.waiting > 0 && `${countWaiting(health)} ${health.waiting === 1 ? 'waits' : 'wait'}. `}
      {health.last_error_class !== 'refused_by_body' &&
        'After five days without a success the webhook is switched off.'}
    </p>
  )
}
