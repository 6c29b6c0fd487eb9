import clsx from 'clsx'
import { TextInput, type TextInputProps } from '#web/ui/form/TextInput.tsx'

/** An input for dollars, with the sign before the typed amount. */
export function AmountInput({ className, ...rest }: TextInputProps) {
  return (
    <div className={clsx('relative', className)}>
      <span aria-hidden className="absolute inset-y-0 left-3 flex items-center text-sm text-muted">
        $
      </span>
      <TextInput inputMode="decimal" autoComplete="off" {...rest} className="pl-7! tabular" />
    </div>
  )
}
