import type { SourceKey } from '#core/contract/leads/source.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'

/** Lists the valid keys, then the revoked ones, each newest first. */
export function KeyList({
  keys,
  onRevoke,
}: {
  keys: readonly SourceKey[]
  onRevoke: (key: SourceKey) => void
}) {
  const sorted = keys.toSorted((a, b) => Number(a.revoked_at !== null) - Number(b.revoked_at !== null))
  return (
    <ul aria-label="Keys" tabIndex={0} className="max-h-72 divide-y divide-line overflow-y-auto">
      {sorted.map((key) => (
        <li
          key={key.id}
          className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 py-1.5 text-sm"
        >
          <span className="font-mono">{key.api_key_prefix}…</span>
          <span className="text-muted">
            <Use of={key} />
          </span>
          {key.revoked_at === null && (
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Revoke the key ${key.api_key_prefix}`}
              onClick={() => onRevoke(key)}
            >
              Revoke
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Use({ of: { revoked_at: revoked, last_used_at: used } }: { of: SourceKey }) {
  if (revoked !== null)
    return (
      <>
        Revoked <RelativeTime at={revoked} />
      </>
    )
  if (used === null) return 'Not used yet'
  return (
    <>
      Last lead <RelativeTime at={used} />
    </>
  )
}
