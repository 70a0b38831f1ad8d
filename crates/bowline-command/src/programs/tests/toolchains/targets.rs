//! make and its like.

use super::super::check;

#[test]
fn ordinary_work_says_what_it_runs() {
    check(
        r#"
        make => ~1, x .
        make test => ~2, x .
        make -j8 test => ~3, x .
        make -j 4 test => ~4, x .
        make -s test => ~3, x .
        make test -j4 => ~2, x .
        make -k -j2 test => ~4, x .
        make -C sub test => ~4, x ., cd sub
        make -n test => ~3, x .
        make lint => ~2, x .
        make build test => ~3, x .
        eslint src => ~1, r src/**, x src, x .
        prettier --check src => ~1, r src/**, x src, x .
        tsc --noEmit => ~1, x .
        jest path => ~1, x .
        bundle exec rspec spec/a_spec.rb => ~3, x ., x spec/a_spec.rb
        mvn test => ~1, x .
        mvn -q test => ~1, x .
        mvn -q -B test => ~1, x .
        mvn -Dtest=FooTest test => ~1, x .
        gradle test => ~1, x .
        ./gradlew test => ~1, x .
        ./gradlew test --tests FooTest => ~1, x .
        ninja -C build => ~1, x ., cd build
        ninja -j8 => ~1, x .
        cmake --build build -j 4 => ~3, x build, x .
        cmake -S . -B build => ~1, x ., w build/**
        cmake -B build -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=ON => ~1, w build/**, x .
        cmake .. => ~1, x .., x .
        mvn clean package -DskipTests => ~1, x .
        mvn -q compile => ~1, x .
        mvn deploy => ~2, x .
        gradle :app:test => ~1, x .
        ./mvnw -q test => ~1, x .
        ctest --output-on-failure => ~1, x .
        ctest -R parser -V -j4 => ~1, x .
        make test V=1 => ~2, x .
        ./gradlew tasks --all => ~1, x .
        just test => ~2, x .
        task test => ~2, x .
        shellcheck scripts/a.sh => r scripts/a.sh/**
        clang-format -i src/a.c => w src/a.c/**
        clang-format --dry-run --Werror src/a.c => r src/a.c/**
        dotnet test => ~2, x .
        dotnet build => ~2, x .
        dotnet build -c Release => ~2, x .
        rake test => ~2, x .
        "#,
    );
}

#[test]
fn other_code_and_other_files_are_seen() {
    check(
        r#"
        make -f evil.mk test => ~all, x .
        make -fevil.mk test => ~all, x .
        make --file=evil.mk test => ~all, x .
        make --fil evil.mk test => ~all, x .
        make --makefile evil.mk test => ~all, x .
        make -C /out test => ~4, x ., cd /out
        make -C ../out test => ~4, x ., cd ../out
        make -C/out test => ~3, x ., cd /out
        make --directory=/out test => ~3, x ., cd /out
        make --dir ../out test => ~4, x ., cd ../out
        make -C sub -C /out test => ~all, x ., cd /out
        make RM=evil test => ~all, x .
        make test SHELL=evil => ~all, x .
        make --eval='x:;evil' test => ~all, x .
        make -E 'x:;evil' test => ~all, x .
        make -I /out test => ~all, x .
        make -e test => ~all, x .
        make -j8 -f evil.mk test => ~all, x .
        make -sf evil.mk test => ~all, x .
        make -sC /out test => ~4, x ., cd /out
        make test -- SHELL=evil => ~all, x .
        make $X test => ~all, x .
        make test $X => ~all, x .
        make test "$X" => ~all, x .
        make -n -f evil.mk => ~all, x .
        make deploy => ~2, x .
        make -j8 deploy => ~3, x .
        make test deploy => ~3, x .
        make -j deploy => ~3, x .
        ninja -f evil.ninja => ~all, x .
        ninja -C /out => ~1, x ., cd /out
        ninja -t evil => ~all, x .
        just -f evil test => ~all, x .
        just --justfile evil test => ~all, x .
        just -d /out test => ~4, x /out, x .
        just --shell evil test => ~all, shell [evil], x .
        just --set x y test => ~all, x .
        just -c evil => ~all, shell [evil], x .
        just --command evil => ~all, shell [evil], x .
        task -t evil.yml test => ~all, x .
        task -d /out test => ~4, x ., cd /out
        task test X=y => ~all, x .
        mvn -f /out/pom.xml test => ~all, x .
        mvn -s evil.xml test => ~all, x .
        mvn test -Dexec.executable=evil exec:exec => ~all, x .
        mvn -Dmaven.ext.class.path=evil.jar test => ~all, x .
        mvn -DargLine=-javaagent:evil.jar test => ~all, x .
        mvn -l prot/x test => ~1, w prot/x, x .
        mvn --log-file prot/x test => ~1, w prot/x, x .
        gradle -b evil.gradle test => ~all, x .
        gradle -I evil.gradle test => ~all, x .
        gradle --init-script evil.gradle test => ~all, x .
        gradle -p /out test => ~1, x ., cd /out
        gradle -Dorg.gradle.jvmargs=evil test => ~all, x .
        gradle -Pjava=evil test => ~all, x .
        ./gradlew -I evil.gradle test => ~all, x .
        ./gradlew -g prot test => ~all, x .
        bundle exec rspec -r ./evil => ~all, x ., x ./evil
        bundle exec evil => ~3, x .
        rspec -o prot/x => ~1, w prot/x, x .
        rspec --require ./evil => ~all, x ./evil, x .
        rspec ../out/x_spec.rb => ~1, x ../out/x_spec.rb, x .
        phpunit --bootstrap evil.php => ~all, x evil.php, x .
        phpunit -c /out/p.xml => ~all, x /out/p.xml, x .
        phpunit --log-junit prot/x => ~1, w prot/x, x .
        dotnet test -o prot => ~2, w prot/**, x .
        dotnet test --logger evil => ~all, x evil, x .
        dotnet test /out/x.csproj => ~2, x /out/x.csproj, x .
        dotnet test --results-directory prot => ~2, w prot/**, x .
        dotnet build -p:CustomBeforeMicrosoftCommonTargets=evil.targets => ~all, w mBeforeMicrosoftCommonTargets=evil.targets/**, x .
        dotnet build /p:X=evil => ~2, x /p:X=evil, x .
        dotnet build -t:Evil => ~all, x .
        dotnet build @evil.rsp => ~all, x @evil.rsp, x .
        ctest -S evil.cmake => ~all, x .
        ctest -D Nightly => ~all, x .
        ctest --build-and-test a b => ~all, x .
        make test V=;evil => ~all, x .
        make test V=x => ~all, x .
        make test SHELL=./evil => ~all, x .
        just test V=1 => ~all, x .
        ctest --test-dir /out => ~1, x /out, x .
        ctest -O prot/x => ~1, w prot/x, x .
        cmake -E rm prot/x => ~all, x rm, x prot/x, x .
        cmake -Cevil.cmake . => ~all, x .
        cmake -B prot => ~1, w prot/**, x .
        cmake -S /out -B build => ~1, x /out, w build/**, x .
        cmake --install build --prefix prot => ~all, x build, x prot, x .
        cmake -DCMAKE_C_COMPILER=evil . => ~all, x .
        cmake -DCMAKE_TOOLCHAIN_FILE=evil.cmake . => ~all, x .
        cmake -DBUILD_X=evil . => ~all, x .
        cmake --build build -- -f evil.mk => ~all, x build, x -f, x evil.mk, x .
        cmake --build /out --target x => ~3, x /out, x .
        mvn exec:exec => ~2, x .
        gradle test publish => ~3, x .
        cmake -P evil.cmake => ~all, x evil.cmake, x .
        cmake --build /out => ~3, x /out, x .
        clang-format -i prot/x.c => w prot/x.c/**
        clang-format --i prot/x.c => ~all, r prot/x.c/**, x .
        rake -f evil test => ~all, x .
        rake -r ./evil test => ~all, x .
        rake test -e evil => ~all, x .
        rake -R /out test => ~all, x .
        "#,
    );
}
