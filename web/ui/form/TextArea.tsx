import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { CONTROL_CLASS } from './control-class.ts'
import { useFieldAttributes } from './field-context.ts'

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Monospace without spell-check, for JSON. */
  mono?: boolean
}

export function TextArea({ mono = false, className, id, rows = 4, ...rest }: TextAreaProps) {
  const attributes = useFieldAttributes(id)
  return (
    <textarea
      {...attributes}
      {...(mono ? { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } : {})}
      {...rest}
      rows={rows}
      className={clsx(CONTROL_CLASS, 'resize-y py-2', mono && 'font-mono text-xs leading-5', className)}
    />
  )
}
