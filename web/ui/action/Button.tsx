import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts'
import { Spinner } from '../wait/Spinner.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  /** Shows a spinner and refuses presses, but keeps the focus where it is. */
  busy?: boolean
}

export function Button({
  variant,
  size,
  icon,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy && type === 'submit' ? 'button' : type}
      onClick={busy ? undefined : onClick}
      {...(busy ? { 'aria-disabled': true, 'aria-busy': true } : {})}
      className={clsx(buttonClass(variant, size), className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}
