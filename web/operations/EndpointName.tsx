/** A webhook by its name and host; the host stays readable however long the name is. */
export function EndpointName({ name, host }: { name: string; host: string }) {
  return (
    <span className="flex max-w-80 min-w-0 items-baseline gap-2">
      <span className="min-w-12 truncate">{name}</span>
      <span className="max-w-56 shrink-0 truncate font-mono text-xs text-muted">{host}</span>
    </span>
  )
}
