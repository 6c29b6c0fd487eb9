import clsx from 'clsx'
import { TextInput, type TextInputProps } from '#web/ui/form/TextInput.tsx'

/** Dollars: the sign stands before what is typed. */
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
