import { Banner } from '#web/ui/show/Banner.tsx'

/** Says what to set if requests come through a proxy that the server does not know. */
export function ProxyWarning({ proxies }: { proxies: readonly string[] }) {
  if (proxies.length === 0) return null
  return (
    <Banner tone="failure" title={`TRUST_PROXY does not name the proxy at ${proxies.join(' and ')}`}>
      Everybody behind it counts as one person for the limits of sign-ins and calls. If it is your proxy, add{' '}
      <code className="font-mono break-all">TRUST_PROXY={proxies.join(',')}</code> to the environment of every
      server and restart them.
    </Banner>
  )
}
