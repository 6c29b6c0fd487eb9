import { Button } from '#web/ui/action/Button.tsx'

export interface DecisionButtonsProps {
  /** Labels such as "Approve" and "Deny". */
  yes: string
  no: string
  /** The subject for screen readers, for example "the return of lead 1234". */
  about: string
  onAsk: (isYes: boolean) => void
}

/** Buttons for the two ways to decide a request. */
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
