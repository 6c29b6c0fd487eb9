import clsx from 'clsx'
import { useEffect, useRef, type ComponentProps } from 'react'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  'aria-label': string
  /** Some of what it stands for is checked. */
  mixed?: boolean
  /** No label is around it: what is pressed is 24 px wide and high, and takes up no more room for it. */
  isAlone?: boolean
}

/** For choosing rows; a setting that takes effect at once is a Switch. */
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
