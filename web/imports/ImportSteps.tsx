import clsx from 'clsx'

const STEPS = ['Upload', 'Map columns', 'Preview', 'Import', 'Report']

/** Shows which of its five steps an import is at. */
export function ImportSteps({ at }: { at: number }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {STEPS.map((step, index) => (
        <li
          key={step}
          {...(index === at ? { 'aria-current': 'step' as const } : {})}
          className={clsx('flex items-center gap-2', index === at ? 'font-semibold text-ink' : 'text-muted')}
        >
          <span
            aria-hidden
            className={clsx(
              'flex size-5 items-center justify-center rounded-full border text-xs tabular',
              index === at ? 'border-accent text-accent' : 'border-line',
            )}
          >
            {index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  )
}
