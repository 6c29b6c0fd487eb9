import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { CONTROL_CLASS } from './control-class.ts'
import { useFieldAttributes } from './field-context.ts'

export interface TextInputProps extends ComponentProps<'input'> {
  /** Monospace, for URLs and ids. */
  mono?: boolean
}

export function TextInput({ mono = false, className, id, type = 'text', ...rest }: TextInputProps) {
  const attributes = useFieldAttributes(id)
  return (
    <input
      {...attributes}
      {...rest}
      type={type}
      className={clsx(CONTROL_CLASS, 'h-9', mono && 'font-mono', className)}
    />
  )
}
