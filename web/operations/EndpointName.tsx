/**
 * Shows a webhook's name with its host below. Side by side, two long ones would push the next columns out of
 * view.
 */
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
