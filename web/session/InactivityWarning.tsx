import { AlertDialog } from '../ui/overlay/AlertDialog.tsx'

export interface InactivityWarningProps {
  /** null: no warning is due. */
  leftMs: number | null
  onStay: () => void
  onLeave: () => void
}

/** Two minutes before a resting session ends. Escape is an answer too: somebody is there. */
export function InactivityWarning({ leftMs, onStay, onLeave }: InactivityWarningProps) {
  return (
    <AlertDialog
      open={leftMs !== null}
      onOpenChange={(open) => {
        if (!open) onStay()
      }}
      title="Are you still there?"
      description={
        <>
          You will be signed out in <span className="tabular">{describe(leftMs ?? 0)}</span>, because nothing
          has been done here for a while.
        </>
      }
      cancelLabel="Sign out now"
      onCancel={onLeave}
      focus="confirm"
      tone="primary"
      confirmLabel="Stay signed in"
      asks={false}
      onConfirm={onStay}
    />
  )
}

function describe(ms: number) {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return `${minutes}:${rest}`
}
