import clsx from 'clsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const VARIANTS: Record<ButtonVariant, string> = {
  // The transparent border makes a filled button as high as its neighbours, and is all that forced colours
  // show of it.
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-ink',
  danger: 'border border-transparent bg-failure text-on-failure hover:opacity-90',
}

const SIZES: Record<ButtonSize, string> = {
  sm: 'h-8 px-3 tight:min-h-8',
  md: 'h-9 px-4 tight:min-h-9',
  // for the one act of a screen that is done in a hurry
  lg: 'h-11 px-5 tight:min-h-11',
}

/** Classes of a button, also for links that look like one. Buttons are not printed. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md') {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg text-sm font-medium whitespace-nowrap transition-colors print:hidden',
    'disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50',
    'tight:h-auto tight:max-w-full tight:shrink tight:py-1 tight:whitespace-normal',
    SIZES[size],
    VARIANTS[variant],
  )
}
