import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** Accessible name, because the button has only an icon. */
  label: string
  icon: ReactNode
  size?: 'sm' | 'md'
}

export function IconButton({
  label,
  icon,
  size = 'md',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center rounded-lg text-muted transition-colors hover:bg-hover hover:text-ink print:hidden',
        'disabled:pointer-events-none disabled:opacity-50 data-popup-open:bg-hover data-popup-open:text-ink [&_svg]:size-4',
        size === 'sm' ? 'size-7' : 'size-9',
        className,
      )}
    >
      {icon}
    </button>
  )
}
