import { CircleSlash, FlaskConical, KeyRound, Pause, Radio } from 'lucide-react'
import type { Source } from '#core/contract/leads/source.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'

/** Says whether a source may post, and since when, by whom and why not while it is paused. */
export function SourceMode({ source }: { source: Source }) {
  if (source.stopped_at !== null) return <Badge icon={<CircleSlash aria-hidden />}>Stopped</Badge>
  if (source.paused_at !== null) return <PausedSince source={source} at={source.paused_at} />
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

function PausedSince({ source, at }: { source: Source; at: string }) {
  const { paused_by_name: by, pause_reason: reason } = source
  return (
    <span className="block max-w-28 py-1 2xl:max-w-60 whitespace-normal">
      <Badge tone="waiting" icon={<Pause aria-hidden />}>
        Paused
      </Badge>
      <span className="mt-1 block text-xs break-words text-muted">
        <RelativeTime at={at} />
        {by !== null && ` by ${by}`}
      </span>
      {reason !== null && <span className="line-clamp-3 text-xs break-words">{reason}</span>}
    </span>
  )
}

function hasNoKey({ revoked_at: revoked, keys }: Source) {
  return revoked !== null || keys.every((key) => key.revoked_at !== null)
}
