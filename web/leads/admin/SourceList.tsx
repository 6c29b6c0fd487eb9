import { CircleSlash, FlaskConical, KeyRound, Radio } from 'lucide-react'
import type { Source } from '#core/contract/leads/source.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'

export interface SourceListProps {
  sources: readonly Source[]
  /** True while a switch of the mode is being saved. */
  isBusy: boolean
  onSwitch: (source: Source) => void
  onShare: (source: Source) => void
  onKeys: (source: Source) => void
  onStop: (source: Source) => void
  onRecall: (source: Source) => void
}

export function SourceList({
  sources,
  isBusy,
  onSwitch,
  onShare,
  onKeys,
  onStop,
  onRecall,
}: SourceListProps) {
  return (
    <Listing
      label="Sources"
      items={sources}
      keyOf={({ id }) => id}
      columns={[
        {
          header: 'Source',
          render: ({ name, api_key_prefix: key }) => (
            <span className="block max-w-36 2xl:max-w-48">
              <span className="block truncate">{name}</span>
              <span className="block truncate font-mono text-xs font-normal text-muted">{key}…</span>
            </span>
          ),
        },
        {
          header: 'Leads go to',
          render: (source) => (
            <span className="inline-block max-w-28 truncate align-bottom 2xl:max-w-48">{sayTo(source)}</span>
          ),
        },
        { header: 'Mode', part: 'how', render: (source) => <Mode source={source} /> },
        {
          header: 'Last lead',
          render: ({ last_used_at: at }) => (at === null ? null : <RelativeTime at={at} />),
        },
      ]}
      needs="leads"
      renderActions={(source) => (
        <>
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Recall leads of ${source.name}`}
            onClick={() => onRecall(source)}
          >
            Recall
          </Button>
          {source.stopped_at === null && (
            <>
              {source.revoked_at === null && (
                <>
                  <Button
                    size="sm"
                    variant="quiet"
                    asks
                    aria-disabled={isBusy}
                    aria-label={`Switch ${source.name} to ${source.test_mode ? 'live' : 'test mode'}`}
                    onClick={isBusy ? undefined : () => onSwitch(source)}
                  >
                    {source.test_mode ? 'Go live' : 'Test mode'}
                  </Button>
                  <Button
                    size="sm"
                    variant="quiet"
                    aria-label={`Share the posting spec of ${source.name}`}
                    onClick={() => onShare(source)}
                  >
                    Posting spec
                  </Button>
                </>
              )}
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Keys of ${source.name}`}
                onClick={() => onKeys(source)}
              >
                Keys
              </Button>
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Stop ${source.name}`}
                onClick={() => onStop(source)}
              >
                Stop
              </Button>
            </>
          )}
        </>
      )}
    />
  )
}

function Mode({ source }: { source: Source }) {
  if (source.stopped_at !== null) return <Badge icon={<CircleSlash aria-hidden />}>Stopped</Badge>
  if (hasNoKey(source)) return <Badge icon={<KeyRound aria-hidden />}>No key</Badge>
  return source.test_mode ? (
    <Badge tone="waiting" icon={<FlaskConical aria-hidden />}>
      Test mode
    </Badge>
  ) : (
    <Badge tone="success" icon={<Radio aria-hidden />}>
      Live
    </Badge>
  )
}

function hasNoKey({ revoked_at: revoked, keys }: Source) {
  return revoked !== null || keys.every((key) => key.revoked_at !== null)
}

function sayTo({ owner_user_id: owner, owner_name: name, auto_assign: isHandedOn }: Source) {
  if (!isHandedOn) return owner === null ? 'Nobody: kept' : `${name ?? 'Its client'}, kept`
  return owner === null ? 'The market' : (name ?? 'Its client')
}
