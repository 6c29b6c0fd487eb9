import path from 'node:path'
import type { Rolldown } from 'vite'
import { ROUTE_BUDGETS } from './route-budgets.ts'

type Groups = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>
type Context = Rolldown.ChunkingContext

/**
 * In characters of source. A smaller shared module costs more as a file of its own than as unused code for
 * some screens.
 */
const SMALL = 1500

/** Modules loaded together on every screen after the sign-in. */
const LAYERS = { session: 'session/SessionKeeper.tsx', shell: 'app/shell/AppShell.tsx' } as const
const SIGN_IN = 'accounts/sign-in/AuthPage.tsx'
/**
 * Small, but only the screens of one area need them; those of leads bring the schema of a whole lead.
 */
const APART = [
  'leads/one-lead-queries.ts',
  'leads/shown-lead.ts',
  'leads/revocations/revocation-queries.ts',
  'leads/revocations/AcknowledgeButton.tsx',
  'leads/revocations/Receipt.tsx',
  'leads/revocations/say-countdown.ts',
  'leads/lead-page/Facts.tsx',
  'webhooks/misses-bought.ts',
]
const LATER = ['accounts/sign-in/AdminAuthPage.tsx', 'webhooks/dialog/WebhookDialog.tsx']

/**
 * Decides which modules share a file. By default, each set of screens gets a file for what they share: eighty
 * requests for one screen.
 * @param root folder of the web app
 */
export function groupChunks(root: string): Groups {
  let found: { layers: Array<[name: string, modules: Set<string>]>; screens: Set<string>[] } | undefined
  const locate = (part: string) => path.join(root, part)
  const apart = new Set(APART.map(locate))

  function look(context: Context) {
    const inShell = Object.values(ROUTE_BUDGETS).filter(({ parts }) => parts.includes(LAYERS.shell))
    const screens = new Set([SIGN_IN, ...LATER, ...inShell.flatMap(({ parts }) => parts.slice(-1))])
    return {
      layers: Object.entries(LAYERS).map(([name, part]): [string, Set<string>] => [
        name,
        listModules(context, locate(part)),
      ]),
      screens: [...screens].map((part) => listModules(context, locate(part))),
    }
  }

  function name(id: string, context: Context): string | null {
    found ??= look(context)
    const layer = found.layers.find(([, modules]) => modules.has(id))?.[0]
    const isShared = found.screens.filter((modules) => modules.has(id)).length > 1
    const size = context.getModuleInfo(id)?.code?.length ?? 0
    const isPackage = id.includes('node_modules') && !id.includes('lucide-react')
    const isOfSignIn = found.screens[0]?.has(id) === true
    // The sign-in screen needs some shared modules, but must not load the rest.
    if (isOfSignIn && (layer !== undefined || isShared)) return !isPackage && size < 2 * SMALL ? 'base' : null
    if (layer !== undefined) return layer
    return isShared && size < SMALL && !apart.has(id) ? 'common' : null
  }

  return [
    { name: 'app', tags: ['$initial'], priority: 2 },
    { name: 'form', test: /react-hook-form/, priority: 1 },
    { name },
  ]
}

function listModules(context: Context, module: string, found = new Set<string>()): Set<string> {
  if (found.has(module)) return found
  found.add(module)
  for (const imported of context.getModuleInfo(module)?.importedIds ?? [])
    listModules(context, imported, found)
  return found
}
