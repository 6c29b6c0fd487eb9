import type { Source } from '#core/contract/leads/source.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { SourceMode } from './SourceMode.tsx'

export interface SourceListProps {
  sources: readonly Source[]
  /** True while a switch of the mode is being saved. */
  isBusy: boolean
  onSwitch: (source: Source) => void
  onShare: (source: Source) => void
  onKeys: (source: Source) => void
  onPause: (source: Source) => void
  onStop: (source: Source) => void
  onRecall: (source: Source) => void
}

export function SourceList({
  sources,
  isBusy,
  onSwitch,
  onShare,
  onKeys,
  onPause,
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
            <span className="block max-w-32 2xl:max-w-48">
              <span className="block truncate">{name}</span>
              <span className="block truncate font-mono text-xs font-normal text-muted">{key}…</span>
            </span>
          ),
        },
        {
          header: 'Leads go to',
          render: (source) => (
            <span className="inline-block max-w-24 truncate align-bottom 2xl:max-w-48">{sayTo(source)}</span>
          ),
        },
        { header: 'Mode', part: 'how', render: (source) => <SourceMode source={source} /> },
        {
          header: 'Last lead',
          render: ({ last_used_at: at }) => (at === null ? null : <RelativeTime at={at} />),
        },
      ]}
      needs="leads"
      renderActions={(source) => (
        // Six actions take two lines unless the window is wide.
        <div className="ml-auto flex max-w-72 flex-wrap justify-end cards:contents 2xl:max-w-none">
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
                    aria-label={
                      source.test_mode ? `Go live with ${source.name}` : `Test mode for ${source.name}`
                    }
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
                aria-label={`${source.paused_at === null ? 'Pause' : 'Resume'} ${source.name}`}
                onClick={() => onPause(source)}
              >
                {source.paused_at === null ? 'Pause' : 'Resume'}
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
        </div>
      )}
    />
  )
}

function sayTo({ owner_user_id: owner, owner_name: name, auto_assign: isHandedOn }: Source) {
  if (!isHandedOn) return owner === null ? 'Nobody: kept' : `${name ?? 'Its client'}, kept`
  return owner === null ? 'The market' : (name ?? 'Its client')
}
