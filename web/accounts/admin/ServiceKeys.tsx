import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ServiceKey } from '#core/contract/accounts/service-key.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { serviceKeysQuery } from '../admin-people-queries.ts'
import { MakeServiceKeyDialog } from './MakeServiceKeyDialog.tsx'
import { RevokeServiceKeyDialog } from './RevokeServiceKeyDialog.tsx'

/** The keys of programs that administer accounts. Only owners see them. */
export function ServiceKeys() {
  const keys = useInfiniteQuery(serviceKeysQuery)
  const [isMaking, setMaking] = useState(false)
  const [revoked, setRevoked] = useState<ServiceKey>()
  return (
    <>
      <PagedCard
        title="Service keys"
        failure="The service keys could not be loaded."
        query={keys}
        actions={
          <Button size="sm" icon={<Plus aria-hidden className="size-4" />} onClick={() => setMaking(true)}>
            Make a key
          </Button>
        }
        empty={<EmptyState icon={<KeyRound aria-hidden />} title="No service keys" />}
      >
        {(items) => (
          <Listing
            label="Service keys"
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { header: 'Program', render: (key) => <Program of={key} /> },
              { header: 'Status', part: 'how', render: (key) => <Standing of={key} /> },
              {
                header: 'Created',
                // The row of unlisted keys stands for many.
                render: ({ is_listed: isListed, created_at: at }) => isListed && <RelativeTime at={at} />,
              },
              {
                header: 'Last used',
                render: ({ last_used_at: at }) => (at === null ? 'Never' : <RelativeTime at={at} />),
              },
              { header: 'Ends', render: ({ expires_at: at }) => at !== null && <RelativeTime at={at} /> },
            ]}
            needs="people"
            renderActions={(key) =>
              standingOf(key) === 'valid' && (
                <Button
                  size="sm"
                  aria-label={
                    key.is_listed ? `Revoke the key of ${key.program}` : 'Revoke all keys that are not listed'
                  }
                  onClick={() => setRevoked(key)}
                >
                  Revoke
                </Button>
              )
            }
          />
        )}
      </PagedCard>
      {isMaking && <MakeServiceKeyDialog onClose={() => setMaking(false)} />}
      {revoked !== undefined && (
        <RevokeServiceKeyDialog serviceKey={revoked} onClose={() => setRevoked(undefined)} />
      )}
    </>
  )
}

function Program({ of: { program, key_ending: ending } }: { of: ServiceKey }) {
  return (
    <span className="block max-w-64">
      <span className="block truncate" title={program}>
        {program}
      </span>
      {ending !== null && <span className="block font-mono text-xs font-normal text-muted">…{ending}</span>}
    </span>
  )
}

const STANDINGS = {
  valid: { tone: 'success', text: 'Valid' },
  expired: { tone: 'neutral', text: 'Expired' },
  revoked: { tone: 'neutral', text: 'Revoked' },
} as const

function Standing({ of: key }: { of: ServiceKey }) {
  const { tone, text } = STANDINGS[standingOf(key)]
  return <Badge tone={tone}>{text}</Badge>
}

function standingOf({ revoked_at: revoked, expires_at: end }: ServiceKey): keyof typeof STANDINGS {
  if (revoked !== null) return 'revoked'
  return end !== null && new Date(end) <= new Date() ? 'expired' : 'valid'
}
