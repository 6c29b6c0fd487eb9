import { Ban, CircleCheck, CircleDashed, CircleSlash } from 'lucide-react'
import type { ClientState as State } from '#core/contract/market/admin-client.ts'
import { Badge } from '#web/ui/show/Badge.tsx'

export const CLIENT_STATE_WORDS: Readonly<Record<State, string>> = {
  onboarding: 'Waiting for approval',
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
  erased: 'Erased',
}

export function ClientState({ state }: { state: State }) {
  const word = CLIENT_STATE_WORDS[state]
  switch (state) {
    case 'active':
      return (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {word}
        </Badge>
      )
    case 'onboarding':
      return (
        <Badge tone="waiting" icon={<CircleDashed aria-hidden />}>
          {word}
        </Badge>
      )
    case 'suspended':
      return (
        <Badge tone="failure" icon={<Ban aria-hidden />}>
          {word}
        </Badge>
      )
    default:
      return <Badge icon={<CircleSlash aria-hidden />}>{word}</Badge>
  }
}
