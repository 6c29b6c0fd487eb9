import clsx from 'clsx'
import { useEffect, useRef, type ComponentProps } from 'react'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  'aria-label': string
  /** True if only some of the items are checked. */
  mixed?: boolean
  /**
   * True without a label around it. The target is then 24 px wide and high, without more space in the layout.
   */
  isAlone?: boolean
}

/** A checkbox to select rows; a setting that takes effect at once is a Switch. */
export function Checkbox({ mixed = false, isAlone = false, className, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = mixed
  }, [mixed])
  const box = (
    <input {...rest} ref={input} type="checkbox" className={clsx('block size-4 accent-accent', className)} />
  )
  return isAlone ? <label className="-m-1 grid size-6 place-items-center">{box}</label> : box
}
