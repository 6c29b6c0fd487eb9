/**
 * Warns two minutes before an inactive session ends. Any activity dismisses it, so it has no button and takes
 * no focus.
 */
export function InactivityWarning({ leftMs }: { leftMs: number | null }) {
  if (leftMs === null) return null
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-6 z-60 flex justify-center px-4">
      <div role="alert" className="pop-motion w-full max-w-md rounded-lg bg-raised p-4 text-sm shadow-float">
        <p className="font-semibold">Are you still there?</p>
        <p className="mt-1 text-muted">
          You will be signed out
          {/* A screen reader would announce every second of the countdown, so it is hidden. */}
          <span aria-hidden className="tabular">{` in ${describe(leftMs)}`}</span>
          <span className="sr-only"> within two minutes</span>, because nothing has been done here for a
          while. Move the mouse, touch the screen or press any key to stay signed in.
        </p>
      </div>
    </div>
  )
}

function describe(ms: number) {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return `${minutes}:${rest}`
}
