//! go and what belongs to it.

use super::super::check;

#[test]
fn ordinary_work_says_what_it_runs() {
    check(
        r#"
        go test ./... => ~1, x .
        go test -run TestFoo ./pkg -count=1 => ~1, x ./pkg, x .
        go test -run T ./p -count=1 -v => ~1, x ./p, x .
        go test -v -race -count=1 ./... => ~1, x .
        go test -cover ./... => ~1, x .
        go test -coverprofile=cover.out ./... => ~1, w cover.out, x .
        go test -bench=. -benchmem ./... => ~1, x .
        go test -short -timeout 30s ./internal/... => ~1, x ./internal, x .
        go test -json ./... => ~1, x .
        go test -run "^TestA" -v . => ~1, x .
        go build ./... => ~1, x .
        go build -o bin/app ./cmd/app => ~1, w bin/app, x ./cmd/app, x .
        go build -ldflags "-s -w -X main.version=1.2" ./cmd/app => ~1, x ./cmd/app, x .
        go build -tags integration ./... => ~1, x .
        go tool cover -func=c.out => ~1, r c.out, x .
        go vet ./... => ~1, x .
        go fmt ./... => ~1, x .
        go mod tidy => ~1, w go.mod, x .
        go mod download => ~1, x .
        go mod why github.com/x/y => ok
        go mod graph => ok
        go list ./... => x .
        go list -m all => ok
        go env => ok
        go env GOPATH => ok
        go version => ok
        go run ./cmd/app => ~2, x ./cmd/app, x .
        go run . --flag x => ~2, x .
        go doc fmt.Println => ok
        go help test => ok
        go clean -testcache => ~1, x .
        go generate ./... => ~2, x .
        go test -tags=e2e ./e2e/... => ~1, x ./e2e, x .
        go -C sub test ./... => ~1, x ., cd sub
        gofmt -l . => r ./**
        gofmt -w src/a.go => w src/a.go/**
        golangci-lint run => ~1, x .
        golangci-lint run ./... => ~1, x .
        "#,
    );
}

#[test]
fn other_code_and_other_files_are_seen() {
    check(
        r#"
        go test -exec evil ./... => ~all, shell [evil], x .
        go test -exec=evil ./... => ~all, shell [evil], x .
        go test --exec=evil ./... => ~all, shell [evil], x .
        go test -test.exec evil ./... => ~all, shell [evil], x .
        go test -trace prot/t ./p => ~1, w prot/t, x ./p, x .
        go test -trace=prot/t ./p => ~1, w prot/t, x ./p, x .
        go test -test.trace=prot/t ./p => ~1, w prot/t, x ./p, x .
        go test -o prot/x -c ./p => ~1, w prot/x, x ./p, x .
        go test -coverprofile=prot/c ./... => ~1, w prot/c, x .
        go test -coverprofile prot/c ./... => ~1, w prot/c, x .
        go test -cpuprofile prot/c ./p => ~1, w prot/c, x ./p, x .
        go test -memprofile=prot/c ./p => ~1, w prot/c, x ./p, x .
        go test -blockprofile prot/c ./p => ~1, w prot/c, x ./p, x .
        go test -mutexprofile prot/c ./p => ~1, w prot/c, x ./p, x .
        go test -outputdir prot -cpuprofile c ./p => ~1, w prot/**, w c, x ./p, x .
        go test -test.testlogfile=prot/x ./p => ~all, x ./p, x .
        go test -test.gocoverdir=prot ./p => ~all, x ./p, x .
        go test -toolexec evil ./... => ~all, shell [evil], x .
        go test -vettool=evil ./... => ~all, x .
        go vet -vettool=evil ./... => ~all, shell [evil], x .
        go vet -vettool evil ./... => ~all, shell [evil], x .
        go build -toolexec "evil x" ./... => ~all, shell [evil x], x .
        go build -o prot/x ./cmd/app => ~1, w prot/x, x ./cmd/app, x .
        go build -o=prot/x => ~1, w prot/x, x .
        go build -overlay evil.json ./... => ~all, x .
        go build -modfile=/out/go.mod ./... => ~all, x .
        go build -ldflags "-extld=evil" ./... => ~all, x .
        go build -ldflags='-linkmode=external -extld evil' ./... => ~all, x .
        go build -ldflags=all=-extld=evil => ~all, x .
        go build -gcflags=-d=panic ./... => ~all, x .
        go build -compiler gccgo -gccgoflags -x => ~all, x .
        go build -pkgdir prot ./... => ~1, w prot/**, x .
        go build -C /out ./... => ~1, x ., cd /out
        go -C /out test ./... => ~1, x ., cd /out
        go build -asmflags=-o=prot/x ./... => ~all, x .
        go test -C ../out ./... => ~1, x ., cd ../out
        go test /out/... => ~1, x /out, x .
        go test ../out/... => ~1, x ../out, x .
        go test -- ../out => ~1, x ../out, x .
        go vet ../out => ~1, x ../out, x .
        go run ../out => ~2, x ../out, x .
        go run /out/evil.go => ~2, x /out/evil.go, x .
        go run evil.example/x@latest => ~all, x .
        go run -exec evil . => ~all, shell [evil], x .
        go install evil.example/x@latest => ~3, x .
        go env -w GOFLAGS=-toolexec=evil => ~all, x .
        go env -u GOFLAGS => ~all, x .
        go env -w=true GOFLAGS=x => ~all, x .
        go tool compile -o prot/x a.go => ~3, w prot/x, x .
        go tool cover -html=c -o prot/x => ~1, r c, w prot/x, x .
        go tool pprof -output prot/x => ~3, w prot/x, x .
        go generate ../out => ~2, x ../out, x .
        go mod vendor -o prot => ~3, w prot/**, x .
        go mod edit -replace x=../out => ~all, w go.mod, x .
        go mod init evil => ~3, w go.mod, x .
        go list -toolexec evil ./... => ~all, shell [evil], x .
        go list -export -toolexec=evil ./... => ~all, shell [evil], x .
        go list -modfile=prot/x ./... => ~all, x .
        go doc -http => ~all, x .
        go work use ../out => ~3, x ../out, x .
        go bug => ~all, x .
        go telemetry on => ~all, x .
        go test -run $X ./... => ~all, x .
        go test -fuzz X -test.fuzzcachedir=prot ./p => ~all, x ./p, x .
        go get evil.example/x => ~3, x .
        gofmt -w prot/x.go => w prot/x.go/**
        gofmt -cpuprofile=prot/x a.go => w prot/x, r a.go/**
        golangci-lint run -c /out/g.yml => ~1, x /out/g.yml, x .
        golangci-lint run ../out/... => ~1, x ../out, x .
        golangci-lint run --output.json.path=prot/x => ~1, w prot/x, x .
        golangci-lint run --cpu-profile-path prot/x => ~1, w prot/x, x .
        golangci-lint run --fix => ~1, x .
        golangci-lint custom => ~all, x .
        "#,
    );
}
