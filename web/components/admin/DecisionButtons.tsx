import { Button } from '#web/ui/action/Button.tsx'

export interface DecisionButtonsProps {
  /** "Approve" and "Deny". */
  yes: string
  no: string
  /** What they are about, to who cannot see the row: "the return of lead 1234". */
  about: string
  onAsk: (isYes: boolean) => void
}

/** The two ways in which something that waits is decided. */
export function DecisionButtons({ yes, no, about, onAsk }: DecisionButtonsProps) {
  return (
    <span className="inline-flex gap-2 cards:flex-wrap">
      <Button size="sm" aria-label={`${yes} ${about}`} onClick={() => onAsk(true)}>
        {yes}
      </Button>
      <Button size="sm" variant="quiet" aria-label={`${no} ${about}`} onClick={() => onAsk(false)}>
        {no}
      </Button>
    </span>
  )
}
