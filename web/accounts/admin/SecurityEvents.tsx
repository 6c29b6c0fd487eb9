import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { AdminSecurityEvent } from '#core/contract/accounts/admin-people.ts'
import { SEVERITIES, type Severity } from '#core/contract/accounts/security-event.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { describeUserAgent } from '#web/format/user-agent.ts'
import { words } from '#web/format/words.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { securityEventsQuery } from '../admin-people-queries.ts'

const TONES: Record<Severity, Tone> = { low: 'neutral', medium: 'info', high: 'waiting', critical: 'failure' }
const SEVERITY_OPTIONS = [
  { value: '', label: 'Any severity' },
  ...SEVERITIES.map((value) => ({ value: value as string, label: words(value) })),
]
/** The events that screens report, and those that the server adds. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  security_alert: 'Security alert',
  failed_login: 'Failed sign-in',
  mfa_failure: 'Wrong second factor',
  suspicious_request: 'Suspicious request',
  force_logout: 'Signed out by force',
  password_change: 'Password changed',
  session_timeout: 'Session expired',
  login_success: 'Signed in',
  logout: 'Signed out',
}
const TYPE_OPTIONS = [
  { value: '', label: 'All events' },
  ...Object.entries(EVENT_WORDS).map(([value, label]) => ({ value, label })),
]

/** Security events of all accounts, with the alerts that they raised. */
export function SecurityEvents() {
  const [severity, setSeverity] = useState('')
  const [type, setType] = useState('')
  const events = useInfiniteQuery(securityEventsQuery({ severity, type }))
  return (
    <PagedCard
      title="Security events"
      failure="The security events could not be loaded."
      query={events}
      filters={
        <div role="search" aria-label="Filter security events" className="flex flex-wrap gap-2">
          <Select
            aria-label="Event"
            value={type}
            onValueChange={setType}
            options={TYPE_OPTIONS}
            className="w-auto! min-w-[min(11rem,100%)]"
          />
          <Select
            aria-label="Severity"
            value={severity}
            onValueChange={setSeverity}
            options={SEVERITY_OPTIONS}
            className="w-auto! min-w-[min(11rem,100%)]"
          />
        </div>
      }
      onClear={
        severity === '' && type === ''
          ? undefined
          : () => {
              setSeverity('')
              setType('')
            }
      }
      empty={
        <EmptyState icon={<ShieldCheck aria-hidden />} title="No security events">
          Failed sign-ins, wrong codes and alerts of any account appear here.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Security events"
          items={items}
          keyOf={({ id }) => id}
          columns={[
            { header: 'Event', render: (event) => nameEvent(event) },
            {
              header: 'Severity',
              part: 'how',
              render: (event) => <Badge tone={TONES[event.severity]}>{words(event.severity)}</Badge>,
            },
            {
              header: 'Account',
              render: ({ email }) => <span className="break-all">{email ?? 'Not signed in'}</span>,
            },
            {
              header: 'From',
              render: ({ ip, user_agent: agent }) =>
                [describeUserAgent(agent ?? '').name, ip].filter(Boolean).join(' · '),
            },
            {
              header: 'Received',
              part: 'when',
              render: ({ received_at: at }) => <RelativeTime at={at} />,
            },
          ]}
        />
      )}
    </PagedCard>
  )
}

/** An alert names what there was too much of. */
function nameEvent({ type, details }: AdminSecurityEvent) {
  const { cause } = details
  return typeof cause === 'string' ? `${nameType(type)}: ${nameType(cause).toLowerCase()}` : nameType(type)
}

function nameType(type: string) {
  return Object.hasOwn(EVENT_WORDS, type) ? (EVENT_WORDS[type] ?? type) : words(type)
}
