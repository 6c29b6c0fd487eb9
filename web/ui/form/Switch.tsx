import clsx from 'clsx'
import { useId, type ReactNode } from 'react'
import { OFFLINE_REASON_ID, useOfflineReason } from '../action/use-offline-reason.ts'
import { Tooltip } from '../overlay/Tooltip.tsx'

export interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  /** True if it saves at once. Offline it then keeps its state and says why. */
  asks?: boolean
  className?: string
}

export function Switch(props: SwitchProps) {
  const { label, hint, checked, onCheckedChange, disabled = false, asks = false, className } = props
  const id = useId()
  const reason = useOfflineReason(asks)
  const described = [hint !== undefined && `${id}-hint`, reason !== null && OFFLINE_REASON_ID].filter(Boolean)
  return (
    <div className={clsx('flex items-start justify-between gap-4', className)}>
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-xs wrap-anywhere text-muted">
            {hint}
          </p>
        )}
      </div>
      <Tooltip content={reason} disabled={reason === null}>
        <button
          id={id}
          type="button"
          role="switch"
          aria-checked={checked}
          disabled={disabled}
          {...(reason === null ? { onClick: () => onCheckedChange(!checked) } : { 'aria-disabled': true })}
          aria-labelledby={`${id}-label`}
          {...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') })}
          className="group relative inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-sunken transition-colors disabled:opacity-50 aria-disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent"
        >
          <span className="ml-0.5 size-4.5 rounded-full bg-muted transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-on-accent" />
        </button>
      </Tooltip>
    </div>
  )
}
