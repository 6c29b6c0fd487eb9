import clsx from 'clsx'

export function Skeleton({ className }: { className?: string }) {
  // At most as wide as its container: a width chosen for text can be wider than a phone.
  return <div aria-hidden className={clsx('max-w-full animate-breathe rounded-md bg-line', className)} />
}
