/** A webhook by its name, and its host beneath: beside each other two long ones would push the columns after them out of sight. */
export function EndpointName({ name, host }: { name: string; host: string }) {
  return (
    <span className="block max-w-52 min-w-0">
      <span className="block truncate" title={name}>
        {name}
      </span>
      <span className="block truncate font-mono text-xs text-muted" title={host}>
        {host}
      </span>
    </span>
  )
}
