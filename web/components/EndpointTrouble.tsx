import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { countOf } from '#web/format/count-of.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import type { ReactNode } from 'react'
import { describeUnsent } from './describe-unsent.ts'

/** Names of an endpoint's standing, the same on every screen. */
export const STANDING_WORDS: Readonly<Record<EndpointHealth['standing'], string>> = {
  unused: 'Not used yet',
  healthy: 'Healthy',
  failing: 'Failing',
  switched_off: 'Switched off',
  inactive: 'Inactive',
}

const STANDING_TONES: Readonly<Partial<Record<EndpointHealth['standing'], Tone>>> = {
  healthy: 'success',
  failing: 'waiting',
  switched_off: 'failure',
}

export function EndpointStanding({ standing }: Pick<EndpointHealth, 'standing'>) {
  return <Badge tone={STANDING_TONES[standing] ?? 'neutral'}>{STANDING_WORDS[standing]}</Badge>
}

/** Says in one or two sentences why an endpoint fails: the same in its row, its log and its banner. */
export function EndpointTrouble({ health }: { health: EndpointHealth }) {
  const isOff = health.standing === 'switched_off'
  const since = isOff ? health.disabled_at : health.failing_since
  return (
    <>
      {STANDING_WORDS[health.standing]}
      {since !== null && (
        <>
          {isOff ? ' ' : ' since '}
          <RelativeTime at={since} />
        </>
      )}
      {!isOff && health.failures_in_row > 0 && `, ${countOf(health.failures_in_row, 'attempt')} in a row`}.{' '}
      {isOff ? health.disabled_reason : health.last_error_message} {describeUnsent(health)}
    </>
  )
}

/** Banner for an endpoint that needs attention; it stays until the endpoint works again. */
export function EndpointBanner({ health, children }: { health: EndpointHealth; children: ReactNode }) {
  const isOff = health.standing === 'switched_off'
  return (
    <Banner
      tone={isOff ? 'failure' : 'waiting'}
      title={isOff ? `“${health.webhook_name}” was switched off` : `“${health.webhook_name}” keeps failing`}
    >
      <p>
        <EndpointTrouble health={health} />{' '}
        {!isOff &&
          health.last_error_class !== 'refused_by_body' &&
          'After five days without a success the webhook is switched off.'}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">{children}</div>
    </Banner>
  )
}
