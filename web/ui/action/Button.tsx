import clsx from 'clsx'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from '../wait/Spinner.tsx'
import { Tooltip } from '../overlay/Tooltip.tsx'
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts'
import { OFFLINE_REASON_ID, useOfflineReason } from './use-offline-reason.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  /** Shows a spinner and ignores presses, but keeps the focus. */
  busy?: boolean
  /**
   * True if the button sends a request. Offline it ignores presses and says why. The default is true for
   * submit buttons and those with `busy`.
   */
  asks?: boolean
}

export function Button({
  variant,
  size,
  icon,
  busy,
  className,
  children,
  onClick,
  type = 'button',
  asks = busy !== undefined || type === 'submit',
  disabled = false,
  ...rest
}: ButtonProps) {
  const reason = useOfflineReason(asks)
  // A submit button with nothing to save stays focusable, because `disabled` would drop the keyboard's focus.
  const isSubmit = type === 'submit'
  const isHeld = busy === true || reason !== null || (isSubmit && disabled)
  const button = (
    <button
      {...rest}
      type={type}
      disabled={disabled && !isSubmit}
      // Enter in a field also presses the form's button.
      onClick={isHeld ? refusePress : onClick}
      {...(isHeld ? { 'aria-disabled': true } : {})}
      {...(busy === true ? { 'aria-busy': true } : {})}
      {...(reason === null ? {} : { 'aria-describedby': OFFLINE_REASON_ID })}
      className={clsx(buttonClass(variant, size), className)}
    >
      {busy === true ? <Spinner /> : icon}
      {children}
    </button>
  )
  if (!asks) return button
  return (
    <Tooltip content={reason} disabled={reason === null}>
      {button}
    </Tooltip>
  )
}

function refusePress(event: MouseEvent) {
  event.preventDefault()
}
