import { buttonClass } from '#web/ui/action/button-class.ts'

/**
 * Shown when an error screen itself fails. It uses nothing that may have caused the failure. The title is the
 * router's (docs/product.md §8).
 */
export function LastErrorScreen() {
  return (
    <main role="alert" className="mx-auto flex max-w-lg flex-col gap-4 px-4 py-16">
      <h1 className="text-lg font-semibold">Unexpected Application Error!</h1>
      <p className="text-base text-muted">This page could not be shown. Your leads are not affected.</p>
      <p>
        <a href="/" className={buttonClass('primary')}>
          Open Leadwire again
        </a>
      </p>
    </main>
  )
}
