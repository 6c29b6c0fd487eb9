import clsx from 'clsx'
import { useEffect, useRef, type ComponentProps } from 'react'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  'aria-label': string
  /** Some of what it stands for is checked. */
  mixed?: boolean
}

/** For choosing rows; a setting that takes effect at once is a Switch. */
export function Checkbox({ mixed = false, className, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = mixed
  }, [mixed])
  return (
    <input {...rest} ref={input} type="checkbox" className={clsx('block size-4 accent-accent', className)} />
  )
}
