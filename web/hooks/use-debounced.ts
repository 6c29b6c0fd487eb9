import { useEffect, useState } from 'react'

/** Returns the value once it has not changed for `delayMs`. */
export function useDebounced<Value>(value: Value, delayMs: number) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
