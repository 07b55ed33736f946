"""The phrases of the seeded set: where secrets stand in real texts, and lines that only look like it.

‹s› is the secret, any other ‹name› a part that tests/fakes/secret_set.py draws, ⏎ a line break. Group "a" is for
development, "b" is held out: phrases that were written with "a" and looked at only when the work was done.
"""

from __future__ import annotations


def phrases(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


# Any token that tells its kind by its shape.
TOKENS = {
    "a": phrases(
        """
- The deploy key is ‹s›, rotate it in May.
‹day›T10:14:01Z ERROR auth failed for token=‹s› (401)
{"user":"ops","token":"‹s›","ttl":3600}
    raw: "{\\"apiKey\\": \\"‹s›\\", \\"region\\": \\"eu\\"}"
+const client = new Client('‹s›');
-  api_key: ‹s›
export SERVICE_TOKEN=‹s›
curl -s -H "Authorization: Bearer ‹s›" https://api.example.org/v1/me
git clone https://oauth2:‹s›@git.example.org/team/app.git
It printed `‹s›` and stopped.
| staging | ‹s› | works |
GET https://api.example.org/v1/items?key=‹s›&page=2 200 84ms
os.environ["SERVICE_KEY"] = '‹s›'
Der Schlüssel lautet ‹s› – bitte nicht weitergeben.
  token: ‹s›  # production
ENV APP_TOKEN ‹s›
x-api-key: ‹s›
prod,‹s›,‹day›
[14:02] mia: here you go ‹s› :)
docker run -e API_KEY=‹s› -p 8080:8080 app
"""
    ),
    "b": phrases(
        """
Note to self: the old one was ‹s› and it is revoked tomorrow
DEBUG request headers: {'X-Auth-Token': '‹s›', 'Accept': '*/*'}
  "secret" : "‹s›",
>>> login("‹s›")
deployctl push --token=‹s› --verbose
kubectl create secret generic api --from-literal=key=‹s›
<add key="ServiceToken" value="‹s›" />
Clé d'accès : ‹s›, valable jusqu'en mars
set -x SERVICE_TOKEN ‹s›
$env:SERVICE_TOKEN = "‹s›"
Set-Cookie: session=‹s›; Path=/; HttpOnly
    - name: SERVICE_TOKEN⏎      value: ‹s›
"env": ["SERVICE_TOKEN=‹s›"]
printf '%s' '‹s›' | docker login -u robot --password-stdin
(‹s›)
‹s›
"""
    ),
}

# A private key is a block of lines.
BLOCKS = {
    "a": ["‹s›", "Here is the key:⏎⏎```⏎‹s›⏎```⏎Keep it.", "cat > id <<'EOF'⏎‹s›⏎EOF", 'key = """‹s›"""'],
    "b": ["the log has it:⏎‹s›⏎done", "~~~~text⏎‹s›⏎~~~~", 'KEY="‹s›"', "> ‹s›"],
}

# Secrets whose name or place tells what they are.
NAMED: dict[str, dict[str, list[str]]] = {
    "aws": {
        "a": ["aws_secret_access_key = ‹s›", "AWS_SECRET_ACCESS_KEY=‹s›", '  "SecretAccessKey": "‹s›",'],
        "b": ["aws configure set aws_secret_access_key ‹s›", "secretAccessKey: '‹s›',", "AWS secret key: ‹s›"],
    },
    "twilio": {
        "a": ["TWILIO_AUTH_TOKEN=‹s›", "auth_token = '‹s›'", '"authToken": "‹s›"'],
        "b": ["twilio auth token: ‹s›", 'client = Client(sid, auth_token="‹s›")', "- TWILIO_AUTH_TOKEN: ‹s›"],
    },
    "folded": {
        "a": ['{"type": "service_account", "private_key": "‹s›\\n"}', "PRIVATE_KEY='‹s›'"],
        "b": ['ERROR bad key: "‹s›"', 'export DEPLOY_KEY="‹s›"'],
    },
    "url": {
        "a": [
            "postgres://app:‹s›@db.example.org:5432/app",
            "DATABASE_URL=mysql://root:‹s›@‹ip›/shop",
            "see https://mia:‹s›@files.example.org/backup for the dump",
            "redis://:‹s›@cache:6379/0",
        ],
        "b": [
            "mongodb+srv://svc:‹s›@cluster0.example.net/?retryWrites=true",
            "amqp://worker:‹s›@mq.example.org//",
            "ERROR could not connect to postgresql+asyncpg://app:‹s›@db/app",
            "git remote set-url origin https://robot:‹s›@git.example.org/team/app.git",
        ],
    },
    "dsn": {
        "a": [
            "Server=db.example.org;Database=shop;User Id=sa;Password=‹s›;Encrypt=true",
            "host=db user=app password=‹s› dbname=app sslmode=require",
        ],
        "b": [
            "jdbc:postgresql://db:5432/app?user=app&password=‹s›&ssl=true",
            "Data Source=db;Uid=app;Pwd=‹s›;",
        ],
    },
    "env": {
        "a": ['DB_PASSWORD="‹s›"', "export SMTP_PASS='‹s›'", "SECRET_KEY=‹s›", "ADMIN_PASSWORD: ‹s›"],
        "b": ["MYSQL_ROOT_PASSWORD=‹s›", "JWT_SECRET='‹s›'", "+REDIS_PASSWORD=‹s›", 'PGPASSWORD="‹s›" psql -h db app'],
    },
    "field": {
        "a": ["  password: ‹s›", '{"username": "ops", "password": "‹s›"}', "client_secret: '‹s›'", "- Password: ‹s›"],
        "b": ['"passwd" : "‹s›"', '    passphrase: "‹s›"', "Passwort: ‹s›", "password => '‹s›',"],
    },
    "bearer": {
        "a": ["Authorization: Bearer ‹s›", "curl -H 'authorization: bearer ‹s›' https://api.example.org/"],
        "b": ['headers = {"Authorization": "Bearer ‹s›"}', "> Authorization: Token ‹s›"],
    },
    "basic": {
        "a": ["Authorization: Basic ‹s›", '{"headers": {"authorization": "Basic ‹s›"}}'],
        "b": ["proxy-authorization: basic ‹s›", "wget --header='Authorization: Basic ‹s›' https://example.org/x"],
    },
    "azure storage": {
        "a": ["DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=‹s›;EndpointSuffix=core.windows.net"],
        "b": ['"AzureWebJobsStorage": "AccountName=‹word›;AccountKey=‹s›"'],
    },
    "azure bus": {
        "a": ["Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=‹s›"],
        "b": ["HostName=hub.azure-devices.net;DeviceId=‹word›;SharedAccessKey=‹s›"],
    },
    "cloudflare": {
        "a": ["CLOUDFLARE_API_TOKEN=‹s›", "CF_API_KEY: ‹s›", 'api_token = "‹s›"'],
        "b": ["X-Auth-Key: ‹s›", "cloudflare token: ‹s›", "dns_cloudflare_api_token = ‹s›"],
    },
}

ORDINARY = {
    "a": phrases(
        """
commit ‹sha1› (HEAD -> main, origin/main)
Merge: ‹sha7› ‹sha7›
index ‹sha7›..‹sha7› 100644
‹sha256›  app-0.3.0.tar.gz
image: registry.example.org/app@sha256:‹sha256›
      "integrity": "sha512-‹sri›",
    --hash=sha256:‹sha256› \\
request ‹uuid› took 84 ms
"sessionId": "‹uuid›",
![dot](data:image/png;base64,‹b64›)
md5 of the dump: ‹md5›
etag: W/"‹md5›"
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹key64› mia@laptop
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
age1‹bech32› is the public half
node_modules/@babel/helper-create-class-features-plugin/node_modules/semver/bin/semver.js
/home/mia/projects/really-long-folder-name/src/components/authentication/password-reset/index.tsx
https://docs.example.org/en/latest/how-to/configure-the-token-endpoint.html#password-grant
the-quick-brown-fox-jumps-over-the-lazy-dog-and-then-some-more-kebab-words
retry-with-exponential-backoff-and-jitter
sk-learn-style pipelines are what the team prefers
task-2026-02-17-morning-review is done
Das Passwort steht im Tresor, nicht in den Notizen.
Passwort: steht im Tresor
Der Nutzer hat sein Passwort vergessen und ein neues Token angefordert.
Le mot de passe a été changé hier, le jeton expire demain.
Mot de passe : demander à Léa
The token expired after an hour; refreshing it fixed the upload.
The password is stored in the team vault under "staging".
A token is about four characters of English text.
token: expired
token budget = 200000
max_tokens: 4096
tokens: 1204 in, 88 out
"usage": {"prompt_tokens": 1893, "completion_tokens": 212, "total_tokens": 2105}
token = tokenizer.next()
token = tokens[i + 1]
const token = await getToken(userId);
let accessToken = response.data.accessToken;
password: str
password: string;
password: Optional[str] = None
passwordHash: string | null
password = getpass.getpass("Password: ")
password=$(pass show team/db)
export PASSWORD=${DB_PASSWORD:?set it}
api_key = os.environ["X"]
api_key = os.getenv("SERVICE_API_KEY", "")
api_key: ${{ secrets.API_KEY }}
API_KEY=$API_KEY docker compose up
client_secret=settings.client_secret
SECRET_KEY = env("SECRET_KEY")
secret = config.get("provider", "secret")
self.password = password
def login(user: str, password: str, token: str | None = None) -> Session:
if password == confirm_password:
token_url = "https://auth.example.org/oauth/token"
PASSWORD_FILE=/run/secrets/db_password
api_key_path: /etc/app/api_key
auth_token_ttl=3600
password_min_length = 12
secretName: app-tls-certificate
secretKeyRef:
primary_key: customer_id
key: ctrl+shift+p
"token": null
"password": ""
"secret": false
token_type: bearer
Authorization: Bearer $TOKEN
Authorization: Bearer <token>
Authorization: Basic realm="files"
curl -u "$USER:$PASS" https://api.example.org/
The bearer of bad news was the CI again.
basic understanding of the authentication flow
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
ANTHROPIC_API_KEY=<your-key>
api_key: YOUR_API_KEY
api_key = "your-api-key-here"
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
password: changeme
password: ********
TOKEN=***
password: [redacted]
postgres://$USER:$PASSWORD@localhost:5432/app
postgres://localhost:5432/app
https://example.org:8443/path@v2/file
DATABASE_URL=postgres://${DB_USER}:${DB_PASSWORD}@db/app
‹day›T07:45:12.123456+02:00 INFO tick t-‹day›-0745 done
python 3.11.9, node 22.4.1, ripgrep 14.1.0, sqlite 3.46.0
"eslint": "^9.8.0", "typescript": "~5.5.4", "vite": "5.3.5"
color: ‹colour›; background: ‹colour›; border: 1px solid rgba(0, 0, 0, 0.12);
.token.keyword { color: ‹colour›; font-weight: 600; }
Call the office: +49 89 1234‹n›, ask for extension ‹n›
IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX
order 4006381333931, invoice ‹digits›, customer K-‹n›
10:42:07 the meeting with 12345678:room-4 moved to ‹day›
lat 48.137154, lon 11.576124
0x7ffee4c0a9b8 in __pthread_mutex_lock ()
docker pull postgres:16.3-alpine@sha256:‹sha256›
PWD=/srv/app/current
OLDPWD=/home/mia
passed=31 failed=0 skipped=2
pass: 12, fail: 0
AKIA is the prefix of an AWS key id; ghp_ and glpat- are others
See RFC 6750 for bearer tokens and RFC 7617 for basic authentication.
"""
    ),
    "b": phrases(
        """
reverted in ‹sha1› because the migration failed
git cherry-pick ‹sha7›^..‹sha7›
checksum = "‹sha256›"
github.com/spf13/cobra v1.8.1 h1:‹word›+0sE4Hw‹sha7›=
"_integrity": "sha1-‹base58›="
traceparent: 00-‹md5›-‹sha7›00000001-01
X-Request-Id: ‹uuid›
correlation=‹uuid› span=‹sha7›
src="data:image/webp;base64,‹b64›"
sourceMappingURL=data:application/json;base64,‹b64›
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ‹key64›‹key64› deploy@ci
-----BEGIN PGP PUBLIC KEY BLOCK-----
-----BEGIN CERTIFICATE REQUEST-----
known_hosts: |1|‹word›=|‹word›= ecdsa-sha2-nistp256
C:\\Users\\mia\\AppData\\Local\\Programs\\Python\\Python311\\python.exe
s3://data-lake/raw/year=2026/month=02/part-00000-‹uuid›-c000.snappy.parquet
arn:aws:iam::123456789012:role/deploy-to-production
projects/‹word›-prod/secrets/db-password/versions/latest
task-force-meeting-notes-from-the-second-week-of-february
sk-SK and sk-CZ are locales; the sk-toggle class hides content
Vergiss das Token nicht: es läuft am ‹day› ab.
Passwörter gehören in den Passwortmanager.
Kennwort: wie besprochen
Geheimnis: Butter statt Margarine
Le secret : laisser reposer la pâte une nuit
password: ask Jonas
Password reset link was sent, the old password no longer works.
secret: the trick is to warm the cache first
Secret: always measure twice
api key: missing
API key rotation is due in March, see the runbook.
token: see the vault
auth token invalid, logging out
"max_output_tokens": 8192,
tokens_per_second=41.7
prompt cache: 12,404 tokens read, 811 written
token = request.headers.get("Authorization", "").removeprefix("Bearer ")
const apiKey = process.env.SERVICE_API_KEY ?? '';
apiKey: process.env.OPENAI_API_KEY,
val token: String = intent.getStringExtra("token")!!
password := os.Getenv("DB_PASSWORD")
password = Column(String(128), nullable=False)
password = "".join(random.choices(alphabet, k=20))
password: Annotated[SecretStr, Field(min_length=12)]
secret: !Ref DatabaseSecret
secret_key = Fernet.generate_key()
password: {{ vault_db_password }}
PASSWORD="{{ .Values.db.password }}"
DB_PASS=`cat /run/secrets/db`
db_password = data.aws_ssm_parameter.db.value
access_token: &token
auth = HTTPBasicAuth(user, password)
authorization: required
Authorization: Bearer {token}
WWW-Authenticate: Bearer realm="api", error="invalid_token"
--password-stdin reads it from the pipe
mysql -u root -p
SLACK_BOT_TOKEN=xoxb-...
STRIPE_KEY=sk_test_xxx
HF_TOKEN=hf_your_token_here
api_key: "insert your key here"
api_token=<API_TOKEN>
password=hidden
password: (none)
TOKEN=TODO
secret=…
https://user:<password>@example.com/path
redis://cache:6379/0
ssh://git@git.example.org:2222/team/app.git
mailto:mia@example.org?subject=password
‹day› 23:59:59,999 WARN  [main] c.e.auth.TokenFilter - token cache size=‹n›
Chrome/126.0.6478.127 Safari/537.36
rustc 1.80.0 (051478957 2024-07-21)
--accent: ‹colour›; --shadow: 0 1px 2px ‹colour›33;
ISBN 978-3-16-148410-0, DOI 10.1000/xyz123
MAC 3c:22:fb:‹n›, host ‹ip›, port 8443
FR76 3000 6000 0112 3456 7890 189
tracking 1Z999AA10123456784, parcel ‹digits›
version: 20260217T074512Z-‹sha7›
passwordless login is on for everybody
the passphrase prompt appears twice
tokenize(text) -> list[str]
keyof typeof TOKENS
Keystore: loaded 3 entries
cursor: eyJvZmZzZXQiOjEwMH0=
"nextPageToken": "CAUQAA"
"""
    ),
}
