/** Classes of the frame that text inputs, text areas and select triggers share. */
export const CONTROL_CLASS =
  'w-full min-w-0 rounded-lg border border-control bg-surface px-3 text-sm text-ink transition-colors ' +
  'hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0 ' +
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-faint aria-invalid:border-failure'
