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
  /** Shows a spinner and refuses presses, but keeps the focus where it is. */
  busy?: boolean
  /** Asks the server: without a connection it refuses presses too, and says why. So does all that submits or can be busy. */
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
  // A form that has nothing more to save holds the button that saved it: disabled, it would drop the keyboard's focus.
  const isSubmit = type === 'submit'
  const isHeld = busy === true || reason !== null || (isSubmit && disabled)
  const button = (
    <button
      {...rest}
      type={type}
      disabled={disabled && !isSubmit}
      // Enter in a field presses the form's button, too.
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
