/**
 * Words that tell a lasting statement from small talk. Lists rather than a model: each word is here because sentences with it can be
 * relied on, and what is on no list is left alone.
 */

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ""));
}

/** Programs, languages and services that people write without a capital, or that "I'm on …" can only mean. */
export const TECHNOLOGY = words(`
  android angular ansible apache arch astro aws azure babel bash bazel biome bitbucket bun c c++ c# cargo celery chrome circleci
  clickhouse cloudflare cmake conda cursor dart debian deno django docker drizzle dynamodb elasticsearch elixir emacs esbuild eslint
  express fastapi fedora figma firebase firefox fish flask flutter fly.io gcc gcloud gcp gentoo git github gitlab go golang gradle
  grafana graphql grpc haskell helm heroku homebrew ios ipados jenkins jest jira java javascript jupyter k8s kafka keycloak kotlin
  kubernetes kustomize laravel linear linux lua macos mariadb maven memcached mint mocha mongodb mysql neovim netlify next.js nextjs
  nginx nix nixos node node.js nodejs npm numpy nuxt nvim obsidian opensuse openshift oracle pandas php phpstorm playwright pnpm
  podman postgres postgresql powershell prettier prisma prometheus pulumi pycharm pytest python pytorch rabbitmq rails raspbian react
  redis redux remix rollup ruby ruff rust safari scala sentry shellcheck slack snowflake solid sqlite sqlite3 spaces spring storybook
  supabase svelte sveltekit swift swiftui tabs tailwind tanstack tensorflow terraform tmux trpc turborepo typescript ubuntu uv vercel
  vim vite vitest vs vscode vue wayland webpack webstorm windows wsl xcode yaml yarn zed zig zod zsh
`);

/** Words with a capital that name no program: days, methods, parts of machines, and what people shout. */
export const NO_TECHNOLOGY =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|get|post|put|patch|delete|head|options|cpu|ram|gpu|ai|ci|cd|api|apis|http|https|json|xml|csv|utf-?8|crlf|lf|jwt|sql|url|uri|uuid|id|ids|env|html|css|dom|pr|prs|qa|foo|bar|baz|tests?|prod|staging|out|up|down|ok|red|green|blue|black|white|slow|slowly|fast|full|empty|dead|broken|new|old|good|bad|great|fine|hope|confusing|english|german|french|spanish|god|the|an?|my|our|i)$/i;

/** What people say that they love when they mean the contrary. */
export const UNLOVED =
  /\b(?:segfaults?|merge conflicts?|flaky|regressions?|undocumented|bugs?|crash\w*|outages?|wait(?:ing|s)?|spaghetti|legacy|downtime|errors?|exceptions?|warnings?|time-?outs?|mondays?|technical debt|memory leaks?|race conditions?|[0-5] ?am|overtime|traffic|taxes|paperwork|surprises)\b/i;

/** "the tests": everybody knows which. Of another thing with "the", only those who are at it do. */
export const DEFINITE =
  /\bthe (?!\p{Lu}|(?:[a-z]+ )?(?:tests?|test suite|linter|formatter|type ?checker|build|changelog|docs|user|team|code|language|terminal|command line|metric system|oxford comma|morning|mornings|afternoon|evening|evenings|night|weekend|weekends|sea|mountains|city|countryside|office|gym|train|bus|bike|stairs|environment|api|database|backend|frontend|monorepo)\b)/u;

/** "I'm a …" is a profession with these alone. */
export const PROFESSIONS = words(`
  accountant actor actress analyst architect artist attorney auditor author baker barber barista biologist bookkeeper builder
  cardiologist carpenter cashier chef chemist cto ceo cfo coder composer consultant counselor counsellor dancer dentist designer
  developer dietitian doctor dba economist editor electrician engineer farmer firefighter founder freelancer gardener geologist
  hairdresser historian illustrator journalist judge lawyer lecturer librarian linguist magician maintainer manager mathematician
  mechanic midwife musician novelist nurse optician painter paralegal paramedic pharmacist phd photographer physician physicist
  physiotherapist pilot plumber policeman policewoman postdoc principal professor programmer psychiatrist psychologist psychotherapist
  publisher realtor receptionist recruiter researcher retiree salesperson scientist screenwriter sculptor secretary singer sre
  statistician student surgeon surveyor sysadmin tailor teacher technician tester therapist translator tutor veterinarian vet waiter
  waitress webmaster welder writer
`);

/** What is done again and again, so that "I always …" and "we never …" say how somebody works. In their plain form alone. */
export const HABITS = words(`
  answer ask avoid book brew bring build buy call carry charge check clean commit cook cycle debug deploy document drink drive eat
  exercise explain fly follow format hash include indent install keep lint listen lock log mention merge mock name number order pack
  pay pin plan play prefer prefix publish push put read rebase release reply respond review run ship shop show sign sleep smoke sort
  speak spell squash stage start store style swim switch tag take test train translate travel type use validate vote wake walk want
  wear work write
`);

/** Who or what may have a name: "my daughter's name is …". */
export const COMPANIONS =
  "wife|husband|partner|spouse|son|daughter|dog|cat|boss|manager|team lead|sister|brother|mother|father|mom|mum|dad|girlfriend|boyfriend|fiancée?|company|startup|project|team|app|product|horse|parrot|rabbit";

/** What has a date: "the launch is on …". */
export const EVENTS =
  "launch|release|deadline|demo|meeting|wedding|exam|conference|go-live|migration|cutover|appointment|flight|due date|code freeze|feature freeze|kick-?off|interview|presentation|party|trip|review|audit|graduation|anniversary|retreat|hackathon|workshop|offsite|holiday|vacation|surgery|move|performance review|beta|alpha|sprint|election|concert|marathon|race|offboarding|onboarding|contract";

/** A thing of a team or a person that runs on something: "our database is …". */
export const PARTS =
  "stack|tech stack|database|db|backend|back end|frontend|front end|ci|ci system|editor|ide|shell|terminal|os|operating system|framework|test runner|package manager|bundler|linter|formatter|main language|language|cloud|cloud provider|hosting|message queue|queue|cache|orm|build tool|build system|issue tracker|code host|version control|laptop|phone|keyboard layout|keyboard";

/** A word that stands for something said before: a sentence with it is not understood by itself. */
export const POINTING =
  /\b(?:it|its|this|that|these|those|them|they|he|she|him|his|hers?|their|theirs|one|ones|here|there|above|below|former|latter|both|either|neither|same|others?|another|such|you|yours?|y'all|option|version|idea|so|too|as well|else|first|second|third|last|next|previous|following|something|anything|everything|stuff|things?|someone|somebody|everyone|everybody)\b/i;
