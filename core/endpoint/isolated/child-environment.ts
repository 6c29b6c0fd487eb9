/** Names that Node, its libraries and the system read; none of them holds a secret. */
const OF_THE_SYSTEM = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_ALL',
  'LD_LIBRARY_PATH',
  'SystemRoot',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
  'OPENSSL_CONF',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const

/**
 * Returns the environment of a process that gets everything it needs in messages. An attacker who took the process over
 * would find no secret of ours there.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(OF_THE_SYSTEM.map((name) => [name, process.env[name]]))
}
