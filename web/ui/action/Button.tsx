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
  ...rest
}: ButtonProps) {
  const reason = useOfflineReason(asks)
  const isHeld = busy === true || reason !== null
  const button = (
    <button
      {...rest}
      type={type}
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
