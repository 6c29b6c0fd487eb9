import { RotateCw } from 'lucide-react'
import { Button } from '#web/ui/action/Button.tsx'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'

const REASON = 'Nothing has failed here, so there is nothing to resend.'

export interface ResendFailedProps {
  hasFailed: boolean
  onPress: () => void
}

/** Opens "Resend failed since…". Without failures the button stays and says so. */
export function ResendFailed({ hasFailed, onPress }: ResendFailedProps) {
  const icon = <RotateCw aria-hidden className="size-4" />
  if (hasFailed) {
    return (
      <Button size="sm" className="max-sm:ml-auto" icon={icon} onClick={onPress}>
        Resend failed since…
      </Button>
    )
  }
  return (
    <Tooltip content={REASON}>
      <Button size="sm" className="max-sm:ml-auto" icon={icon} aria-disabled aria-description={REASON}>
        Resend failed since…
      </Button>
    </Tooltip>
  )
}
