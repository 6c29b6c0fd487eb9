const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?#]*)(.*)$/

/**
 * Splits a URL with several hosts, `postgres://user@a:5432,b:5432/db?target_session_attrs=read-write`, into one URL for
 * each host. The driver knows neither several hosts nor that parameter, so the parameter is taken out.
 */
export function splitHosts(url: string): string[] {
  const [, start, hosts, rest] = FORM.exec(url) ?? []
  if (start === undefined || hosts === undefined || rest === undefined) return [url]
  // A URL that needs no change stays untouched: a rewritten URL may spell the same place differently.
  if (!hosts.includes(',') && !rest.includes('target_session_attrs=')) return [url]
  const end = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '')
  return hosts.split(',').map((host) => `${start}${host}${end}`)
}
