import clsx from 'clsx'

export function Skeleton({ className }: { className?: string }) {
  // No wider than what it stands in: its width is one of the text's, and a phone's is not.
  return <div aria-hidden className={clsx('max-w-full animate-breathe rounded-md bg-line', className)} />
}
